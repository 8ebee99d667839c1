-- The slowest repositories: those with the longest mean time of a command
-- that ran at least twice there.
SELECT repository, command, count(*) AS count, avg(wall_us) AS mean_us,
       max(wall_us) AS longest_us
FROM processes
WHERE repository IS NOT NULL AND wall_us IS NOT NULL
GROUP BY repository, command
HAVING count(*) > 1
ORDER BY mean_us DESC, repository, command;

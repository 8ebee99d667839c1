-- Which commands run the most processes, and what part of their time they wait
-- for them.
SELECT command, count(*) AS count, sum(joined) AS processes,
       max(joined) AS most, 1.0 * sum(waited_us) / sum(wall_us) AS waited
FROM processes
WHERE wall_us > 0
GROUP BY command
ORDER BY most DESC, command;

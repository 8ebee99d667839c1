-- Which programs run git, how often, and how much time that takes.
SELECT caller, command, count(*) AS count, sum(wall_us) AS wall_us
FROM processes
GROUP BY caller, command
ORDER BY wall_us DESC, count DESC, caller, command;

-- How commands grow from week to week: count and mean time, and how much of
-- the week before that is (1.5: half as much again). A week without the
-- command is left out.
WITH weeks AS (
  SELECT command, week, count(*) AS count, avg(wall_us) AS mean_us
  FROM processes
  WHERE wall_us IS NOT NULL
  GROUP BY command, week
)
SELECT command, week, count, mean_us,
       1.0 * count / lag(count) OVER (PARTITION BY command ORDER BY week)
         AS count_growth,
       mean_us / lag(mean_us) OVER (PARTITION BY command ORDER BY week)
         AS time_growth
FROM weeks
ORDER BY command, week;

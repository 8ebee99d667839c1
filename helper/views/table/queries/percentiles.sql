-- How long do commands take: p50 and p99 by command and day (nearest rank).
WITH ranked AS (
  SELECT command, day, wall_us,
         row_number() OVER (PARTITION BY command, day ORDER BY wall_us) AS rank,
         count(*) OVER (PARTITION BY command, day) AS count
  FROM processes
  WHERE wall_us IS NOT NULL
)
SELECT command, day, max(count) AS count,
       min(CASE WHEN rank * 100 >= count * 50 THEN wall_us END) AS p50_us,
       min(CASE WHEN rank * 100 >= count * 99 THEN wall_us END) AS p99_us
FROM ranked
GROUP BY command, day
ORDER BY command, day;

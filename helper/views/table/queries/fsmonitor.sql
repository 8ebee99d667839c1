-- Which commands asked the file system monitor, and how long do they take with
-- and without it. Only commands that read an index count.
WITH used AS (
  SELECT session,
         max(CASE WHEN category LIKE 'fsm%' THEN 1 ELSE 0 END) AS fsmonitor
  FROM regions
  WHERE category LIKE 'fsm%' OR (category = 'index' AND label = 'do_read_index')
  GROUP BY session
)
SELECT p.command, u.fsmonitor, count(*) AS count,
       avg(p.wall_us) AS mean_us
FROM processes p JOIN used u ON u.session = p.session
GROUP BY p.command, u.fsmonitor
ORDER BY p.command, u.fsmonitor;

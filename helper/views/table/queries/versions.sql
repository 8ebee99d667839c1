-- Which versions of git run, how often do their commands fail, and when was
-- each last seen.
SELECT version, count(*) AS count, sum(failed) AS failed, max(day) AS last_day
FROM processes
GROUP BY version
ORDER BY count DESC, version;

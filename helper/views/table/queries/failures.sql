-- Which commands fail, and by which error.
SELECT command, error, count(*) AS count, min(code) AS lowest_code,
       max(code) AS highest_code, max(signal) AS signal
FROM processes
WHERE failed = 1
GROUP BY command, error
ORDER BY count DESC, command, error;

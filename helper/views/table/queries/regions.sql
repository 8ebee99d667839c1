-- Which regions take the most time of their own.
SELECT command, category, label, count(*) AS count, sum(self_us) AS self_us,
       sum(wall_us) AS wall_us
FROM regions
WHERE wall_us IS NOT NULL
GROUP BY command, category, label
ORDER BY self_us DESC, command, category, label;

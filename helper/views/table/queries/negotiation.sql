-- How many rounds of negotiation fetches need.
SELECT day, count(*) AS fetches, avg(number) AS mean_rounds,
       max(number) AS most_rounds
FROM data
WHERE key = 'total_rounds' AND category LIKE 'negotiation%'
GROUP BY day
ORDER BY day;

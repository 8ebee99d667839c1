-- Did the newest version make a command slower, in which repository? Its runs
-- are compared with those of the version before, by the test of trace2 diff:
-- Mann and Whitney's, with Holm's correction for all rows that were tested.
WITH runs AS (
  SELECT command, coalesce(repository, '') AS repository, version, wall_us, time
  FROM processes
  WHERE finished = 1 AND version IS NOT NULL
), versions AS (
  SELECT command, repository, version,
    lag(version) OVER (PARTITION BY command, repository ORDER BY min(time)) AS old,
    row_number() OVER (PARTITION BY command, repository ORDER BY min(time) DESC) AS age
  FROM runs
  GROUP BY command, repository, version
), compared AS (
  SELECT v.command, v.repository, v.old, v.version, r.wall_us,
    CASE WHEN r.version = v.version THEN 1 ELSE 0 END AS is_new
  FROM versions v
  JOIN runs r ON r.command = v.command AND r.repository = v.repository
    AND r.version IN (v.old, v.version)
  WHERE v.age = 1 AND v.old IS NOT NULL
), ranked AS (
  SELECT *,
    rank() OVER (PARTITION BY command, repository ORDER BY wall_us)
      + (count(*) OVER (PARTITION BY command, repository, wall_us) - 1) * 0.5 AS place,
    count(*) OVER (PARTITION BY command, repository, wall_us) AS equal,
    2 * row_number() OVER (PARTITION BY command, repository, is_new ORDER BY wall_us) AS twice,
    count(*) OVER (PARTITION BY command, repository, is_new) AS side
  FROM compared
), sums AS (
  SELECT command, repository, old, version,
    sum(1.0 - is_new) AS n_old, sum(1.0 * is_new) AS n_new,
    avg(CASE WHEN is_new = 0 AND twice BETWEEN side AND side + 2 THEN wall_us END) AS p50_old,
    avg(CASE WHEN is_new = 1 AND twice BETWEEN side AND side + 2 THEN wall_us END) AS p50_new,
    sum(is_new * place) AS places, sum(equal * equal - 1.0) AS ties
  FROM ranked
  GROUP BY command, repository, old, version
), scores AS (
  SELECT *, (abs(places - n_new * (n_old + n_new + 1) / 2) - 0.5)
    / sqrt(n_old * n_new / 12 * (n_old + n_new + 1
      - ties / ((n_old + n_new) * (n_old + n_new - 1)))) / sqrt(2.0) AS x
  FROM sums
  WHERE n_old > 3 AND n_new > 3 AND p50_old <> p50_new
), tested AS (
  SELECT *, (((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t
    - 0.284496736) * t + 0.254829592) * t) * exp(-x * x) AS p
  FROM (SELECT *, 1 / (1 + 0.3275911 * x) AS t FROM scores WHERE x > 0) AS s
), corrected AS (
  SELECT *, max(p * rest) OVER (ORDER BY p, command, repository) AS holm
  FROM (SELECT *, count(*) OVER ()
    - row_number() OVER (ORDER BY p, command, repository) + 1 AS rest FROM tested) AS s
)
SELECT s.command, s.repository, s.old, s.version,
  CAST(s.n_old AS INTEGER) AS n_old, CAST(s.n_new AS INTEGER) AS n_new,
  CAST(s.p50_old AS INTEGER) AS p50_old_us, CAST(s.p50_new AS INTEGER) AS p50_new_us,
  round(c.p, 4) AS p,
  CASE WHEN s.n_old < 4 OR s.n_new < 4 THEN 'untested'
    WHEN c.holm <= 0.05 AND s.p50_new > s.p50_old THEN 'slower'
    WHEN c.holm <= 0.05 THEN 'faster' ELSE '~' END AS verdict
FROM sums s
LEFT JOIN corrected c ON c.command = s.command AND c.repository = s.repository
ORDER BY verdict = 'slower' DESC, c.p IS NULL, c.p, s.command, s.repository;

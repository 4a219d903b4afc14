# Answers of R about maps of cities: classical scaling and Sammon's mapping.
#
#	Rscript test/reference/maps.R
#
# Needs r-base-core and r-cran-mass.  Writes cities.csv (the places),
# city_maps.csv (cmdscale in two and three dimensions) and city_stress.csv
# (the stress that sammon of MASS reaches).
folder <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
set.seed(20261118)
n <- 40
cities <- data.frame(id = 1:n, lat = round(asin(runif(n, -0.5, 0.95)) * 180 / pi, 3), lon = round(runif(n, -180, 180), 3))
radians <- pi / 180
half <- function(a, b) sin((a - b) / 2) ^ 2
lat <- cities$lat * radians
lon <- cities$lon * radians
arc <- outer(1:n, 1:n, function(i, j) 2 * asin(sqrt(pmin(1, half(lat[i], lat[j]) + cos(lat[i]) * cos(lat[j]) * half(lon[i], lon[j])))))
km <- 6371 * arc
two <- cmdscale(as.dist(km), k = 2)
three <- cmdscale(as.dist(km), k = 3)
sammon <- MASS::sammon(as.dist(km), k = 2, niter = 1000, tol = 1e-9, trace = FALSE)
write.csv(cities, file.path(folder, "cities.csv"), row.names = FALSE, quote = FALSE)
write.csv(data.frame(id = 1:n, x2 = two[, 1], y2 = two[, 2], x3 = three[, 1], y3 = three[, 2], z3 = three[, 3]),
          file.path(folder, "city_maps.csv"), row.names = FALSE, quote = FALSE)
write.csv(data.frame(sammon = sammon$stress), file.path(folder, "city_stress.csv"), row.names = FALSE, quote = FALSE)

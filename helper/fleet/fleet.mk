# The logs of a fleet, summed up on Dask; trace2-fleet(1).

fleet: all ## Install Dask, and sum up a small fleet's logs with it
	@helper/deps.sh missing fleet 2>/dev/null || { echo "make fleet: needs Dask, so it installs python3-distributed" \
		"by apt, with what that depends on; Ctrl-C within 5 s stops it"; sleep 5; }
	@helper/deps.sh fleet
	@rm -rf $(B)/fleet && mkdir -p $(B)/fleet
	@$(PYTHON) t/commands/summary/fleet_logs.py 2000 $(B)/fleet/logs
	@$(PYTHON) helper/fleet/trace2-fleet -o $(B)/fleet/out $(B)/fleet/logs
	@head -25 $(B)/fleet/out/summary.txt

.PHONY: fleet

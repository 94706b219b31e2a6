# shellcheck shell=bash
# What scripts/test runs in the guest: the tests over kernel devices and then, once there are packages, those of
# the service: TEST-BUNDLE RESULTS-FOLDER.
bundle=$1 results=$2

suite() { # NAME COMMAND...
  local name=$1 status=0
  shift
  "$@" --testing-library swift-testing --xunit-output "$results/$name.xml" || status=$?
  echo "$status" >"$results/$name.status"
}

# Where pictures of the screen are found.
export TOUCHROUTE_PICTURES=$results
# This kernel is one of those that let descriptors through.
suite devices "$bundle" --filter '^DeviceTests\.' --filter '^ServerTests\.PassedDescriptorTests'
until [[ -s $results/packages ]]; do sleep 1; done
[[ $(<"$results/packages") == made ]] || exit 0
suite service bash scripts/lib/service-session.sh "$bundle" --filter '^ServiceTests\.'

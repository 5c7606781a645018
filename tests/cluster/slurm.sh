# SPDX-License-Identifier: GPL-3.0-or-later
# slurm.sh - functions that start and stop a Slurm of three nodes on this machine, as root, in a folder of its own:
#
#     . slurm.sh; slurm_up FOLDER [NODES [apart]]; ...; slurm_down
#
# apart: every node has a network of its own, joined to the controller's by a bridge; slurm_cut and slurm_join take
# a node from the network and bring it back.
#
# All its processes are children of the shell that calls it, and are stopped by their process ids. SLURM_CONF is
# set.

pid_ctld= pid_munge=
slurm_packages="slurmctld slurmd slurm-client munge iproute2"

# Installs what is missing. here: the folder of the calling script, which is one of tests/.
slurm_install() { sh "$here/../../harness/make/install.sh" $slurm_packages; }

# A node's daemon: slurm_node n2
slurm_node() {
    set -- "$1" ${slurm_net:+nsenter --net="/run/netns/$slurm_net$1"}
    node=$1
    shift
    "$@" slurmd -D -N "$node" -f "$SLURM_CONF" > /dev/null 2>&1 &
    eval "pid_$node=$!"
}

# The networks of nodes that are apart: namespaces with a pair of links each, of which one end is on the bridge.
slurm_networks() {
    slurm_net=assay$$ slurm_subnet=10.213.$(($$ % 250 + 1))
    ip link add "$slurm_net" type bridge || return 1
    ip address add "$slurm_subnet.1/24" dev "$slurm_net"
    ip link set "$slurm_net" up
    for k in $(seq "$slurm_nodes"); do
        ip netns add "${slurm_net}n$k" || return 1
        ip link add "as$$n$k" type veth peer name eth0 netns "${slurm_net}n$k"
        ip link set "as$$n$k" master "$slurm_net" up
        ip -n "${slurm_net}n$k" address add "$slurm_subnet.$((k + 1))/24" dev eth0
        ip -n "${slurm_net}n$k" link set eth0 up
        ip -n "${slurm_net}n$k" link set lo up
    done
}
slurm_cut() { ip link set "as$$$1" down; }
slurm_join() { ip link set "as$$$1" up; }
# The processes on a node that is apart.
slurm_processes() { ip netns pids "$slurm_net$1"; }

# slurm_address K: of the controller (1), of node nJ (J + 1)
slurm_address() { [ -n "$slurm_net" ] && echo "$slurm_subnet.$1" || echo 127.0.0.1; }
slurm_addresses() {
    for k in $(seq "$slurm_nodes"); do
        echo "NodeName=n$k NodeHostname=$host Port=$((base + k)) CPUs=1" \
            "NodeAddr=$(slurm_address $((k + 1)))"
    done
}

slurm_controller() {
    slurmctld -D -f "$SLURM_CONF" > /dev/null 2>&1 &
    pid_ctld=$!
}

# Waits until a command prints what is asked: slurm_until SECONDS PATTERN COMMAND...
slurm_until() {
    limit=$(($(date +%s) + $1)) pattern=$2
    shift 2
    until "$@" 2> /dev/null | grep -Eq "$pattern"; do
        [ "$(date +%s)" -lt $limit ] || return 1
        sleep 0.2
    done
}

slurm_up() {
    slurm_dir=$(realpath "$1") slurm_nodes=${2:-3} slurm_net= slurm_subnet=
    [ "${3:-}" != apart ] || slurm_networks || { echo "networks of the nodes cannot be made"; return 1; }
    mkdir -p "$slurm_dir/state" "$slurm_dir/munge"
    export SLURM_CONF=$slurm_dir/slurm.conf
    host=$(hostname)
    base=$((20000 + $$ % 1500 * 8))         # below the ports that outgoing connections get
    cat > "$SLURM_CONF" << END
ClusterName=assay
SlurmctldHost=$host($(slurm_address 1))
SlurmctldPort=$base
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm_dir/munge/socket
CredType=cred/munge
StateSaveLocation=$slurm_dir/state
SlurmdSpoolDir=$slurm_dir/spool.%n
SlurmdPidFile=$slurm_dir/%n.pid
SlurmctldPidFile=$slurm_dir/slurmctld.pid
SlurmdLogFile=$slurm_dir/%n.log
SlurmctldLogFile=$slurm_dir/slurmctld.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdTimeout=5
SlurmctldTimeout=10
KillWait=3
ReturnToService=2
MaxArraySize=10001
$(slurm_addresses)
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    dd if=/dev/urandom of="$slurm_dir/munge/key" bs=128 count=1 2> /dev/null
    chmod 600 "$slurm_dir/munge/key"
    chown -R munge:munge "$slurm_dir/munge"
    chmod 755 "$slurm_dir" "$slurm_dir/munge"
    setpriv --reuid munge --regid munge --clear-groups munged --foreground --socket="$slurm_dir/munge/socket" \
        --key-file="$slurm_dir/munge/key" --pid-file="$slurm_dir/munge/pid" --seed-file="$slurm_dir/munge/seed" \
        --log-file="$slurm_dir/munge/log" > /dev/null 2>&1 &
    pid_munge=$!
    limit=$(($(date +%s) + 10))
    until [ -S "$slurm_dir/munge/socket" ]; do
        [ "$(date +%s)" -lt $limit ] || { echo "munged did not start"; cat "$slurm_dir/munge/log"; return 1; }
        sleep 0.1
    done
    slurm_controller
    for k in $(seq "$slurm_nodes"); do slurm_node "n$k"; done
    slurm_until 30 "^$slurm_nodes\$" sinfo --noheader --states=idle --format=%D || {
        echo "the nodes did not come up"; sinfo; tail -n 5 "$slurm_dir"/*.log; return 1; }
}

slurm_down() {
    daemons="$pid_ctld $pid_munge" pid_ctld= pid_munge=
    for k in $(seq "${slurm_nodes:-0}"); do eval "daemons=\"\$daemons \${pid_n$k:-}\" pid_n$k="; done
    for pid in $daemons; do kill "$pid" 2> /dev/null; done
    for pid in $daemons; do wait "$pid" 2> /dev/null; done
    [ -n "${slurm_net:-}" ] || return 0
    for k in $(seq "$slurm_nodes"); do ip netns del "${slurm_net}n$k" 2> /dev/null; done
    ip link del "$slurm_net" 2> /dev/null
    slurm_net=
}

import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";

const SAFE = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, runAsNonRoot: true };
const CAPABILITIES = ["NET_BIND_SERVICE", "CHOWN", "SYS_ADMIN", "NET_RAW", "ALL", "SETFCAP"];
const SYSCTLS = [
  ...["kernel.shm_rmid_forced", "net.ipv4.tcp_rmem", "net.ipv4.tcp_fin_timeout", "kernel.msgmax"],
  "net.ipv4.ip_local_reserved_ports",
];
const SE_LINUX: readonly Parsed[] = [
  { type: "container_t" },
  { type: "spc_t" },
  { user: "u" },
  { role: "r", type: "container_engine_t" },
  { level: "s0" },
];

/** Half of the values conform to the level `restricted`. */
export function containerContext(random: Random, rarely: number): Parsed {
  const capabilities = () => ({
    add: random.times(2, () => random.pick(CAPABILITIES)),
    drop: random.pick([["ALL"], [], ["all"]]),
  });
  return {
    ...(random.chance(0.6) && SAFE),
    ...(random.chance(0.3) && { seccompProfile: { type: random.chance(0.8) ? "RuntimeDefault" : "Unconfined" } }),
    ...(random.chance(rarely) && { capabilities: capabilities() }),
    ...(random.chance(rarely) && { privileged: true, allowPrivilegeEscalation: true }),
    ...(random.chance(rarely) && { runAsUser: random.pick([0, 1000]) }),
    ...(random.chance(rarely) && { runAsNonRoot: false }),
    ...(random.chance(rarely) && { procMount: random.pick(["Default", "Unmasked"]) }),
    ...contextOfAny(random, rarely),
  };
}

export function podContext(random: Random, rarely: number): Parsed {
  const profile = () =>
    random.pick([{ type: "RuntimeDefault" }, { type: "Localhost", localhostProfile: "a" }, { type: "Unconfined" }]);
  const sysctls = () => [...new Set(random.times(3, () => random.pick(SYSCTLS)))].map((name) => ({ name, value: "1" }));
  return {
    ...(random.chance(0.5) && { runAsNonRoot: random.chance(0.9) }),
    ...(random.chance(0.5) && { seccompProfile: profile() }),
    ...(random.chance(rarely) && { runAsUser: random.pick([0, 1000]) }),
    ...(random.chance(rarely) && { sysctls: sysctls() }),
    ...(random.chance(rarely) && { supplementalGroups: [0] }),
    ...contextOfAny(random, rarely),
  };
}

function contextOfAny(random: Random, rarely: number): Parsed {
  return {
    ...(random.chance(rarely) && { seLinuxOptions: random.pick(SE_LINUX) }),
    ...(random.chance(rarely) && { appArmorProfile: { type: random.pick(["Unconfined", "RuntimeDefault"]) } }),
    ...(random.chance(rarely / 3) && { windowsOptions: { hostProcess: random.chance(0.5) } }),
  };
}

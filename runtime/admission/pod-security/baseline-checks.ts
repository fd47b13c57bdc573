import type { SecurityContext } from "../../../api-definitions/core/v1/security.ts";
import { goQuote } from "../../go/quote.ts";
import { allContainers } from "../pod-shape.ts";
import { badContainers, type Check, findSetters, nameContainers, quoted, sorted } from "./findings.ts";

export const appArmorProfile: Check = (spec, { annotations = {} }, keys) => {
  const values = new Set<string>();
  const { names } = findSetters(spec, ({ appArmorProfile }) => {
    if (appArmorProfile === undefined || ["RuntimeDefault", "Localhost"].includes(appArmorProfile.type)) return false;
    values.add(appArmorProfile.type);
    return true;
  });
  const allowed = (profile: string) =>
    profile === "" || profile === "runtime/default" || profile.startsWith("localhost/");
  const marks = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(keys.appArmorPrefix) && !allowed(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort();
  const setters = marks.length === 0 ? names : [...names, marks.length === 1 ? "annotation" : "annotations"];
  if (setters.length === 0) return undefined;
  const all = [...sorted(values), ...marks];
  return {
    reason: all.length === 1 ? "forbidden AppArmor profile" : "forbidden AppArmor profiles",
    detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoted(all)}`,
  };
};

const DEFAULT_CAPABILITIES = new Set(
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(
    " ",
  ),
);

export const baselineCapabilities: Check = (spec) => {
  const added = (context: SecurityContext | undefined) =>
    (context?.capabilities?.add ?? []).filter((capability) => !DEFAULT_CAPABILITIES.has(capability));
  const bad = badContainers(spec, ({ securityContext }) => added(securityContext).length > 0);
  if (bad.length === 0) return undefined;
  const all = sorted([...allContainers(spec)].flatMap(({ securityContext }) => added(securityContext)));
  return {
    reason: "non-default capabilities",
    detail: `${nameContainers(bad)} must not include ${quoted(all)} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: Check = (spec) => {
  const used = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field]);
  if (used.length === 0) return undefined;
  return { reason: "host namespaces", detail: used.map((field) => `${field}=true`).join(", ") };
};

export const hostPathVolumes: Check = (spec) => {
  const names = (spec.volumes ?? []).filter((volume) => volume.hostPath !== undefined).map((volume) => volume.name);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${names.length === 1 ? "volume" : "volumes"} ${quoted(names)}` };
};

export const hostPorts: Check = (spec) => {
  const bad = badContainers(spec, ({ ports }) => ports?.some((port) => port.hostPort) ?? false);
  if (bad.length === 0) return undefined;
  const used = [...allContainers(spec)].flatMap(({ ports = [] }) => ports.flatMap(({ hostPort }) => hostPort || []));
  const ports = sorted(used.map(String));
  const verb = bad.length === 1 ? "uses" : "use";
  return {
    reason: "hostPort",
    detail: `${nameContainers(bad)} ${verb} ${ports.length === 1 ? "hostPort" : "hostPorts"} ${ports.join(", ")}`,
  };
};

export const privileged: Check = (spec) => {
  const bad = badContainers(spec, ({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return { reason: "privileged", detail: `${nameContainers(bad)} must not set securityContext.privileged=true` };
};

export const procMount: Check = (spec) => {
  const unusual = (context: SecurityContext | undefined) =>
    context?.procMount !== undefined && context.procMount !== "Default" ? [context.procMount] : [];
  const bad = badContainers(spec, ({ securityContext }) => unusual(securityContext).length > 0);
  if (bad.length === 0) return undefined;
  const types = sorted([...allContainers(spec)].flatMap(({ securityContext }) => unusual(securityContext)));
  return {
    reason: "procMount",
    detail: `${nameContainers(bad)} must not set securityContext.procMount to ${quoted(types)}`,
  };
};

const SELINUX_TYPES = ["", "container_t", "container_init_t", "container_kvm_t"];

const seLinux =
  (allowed: readonly string[]): Check =>
  (spec) => {
    const types = new Set<string>();
    const flaws = { user: false, role: false };
    const setters = findSetters(spec, ({ seLinuxOptions: { type = "", user = "", role = "" } = {} }) => {
      const badType = !allowed.includes(type);
      if (badType) types.add(type);
      flaws.user ||= user !== "";
      flaws.role ||= role !== "";
      return badType || user !== "" || role !== "";
    });
    if (setters.names.length === 0) return undefined;
    const data = [
      ...(types.size > 0 ? [`${types.size === 1 ? "type" : "types"} ${quoted(sorted(types))}`] : []),
      ...(flaws.user ? ["user may not be set"] : []),
      ...(flaws.role ? ["role may not be set"] : []),
    ];
    return {
      reason: "seLinuxOptions",
      detail: `${setters.text} set forbidden securityContext.seLinuxOptions: ${data.join("; ")}`,
    };
  };

export const seLinuxOptions = seLinux(SELINUX_TYPES);
export const seLinuxOptionsSince31 = seLinux([...SELINUX_TYPES, "container_engine_t"]);

/** Checks the annotations that selected the profile before the field existed. */
export const seccompAnnotations: Check = (spec, { annotations = {} }, keys) => {
  const names = [keys.seccompPod, ...[...allContainers(spec)].map(({ name }) => keys.seccompPrefix + name)];
  const allowed = (value: string) =>
    value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/");
  const bad = sorted(
    names.flatMap((name) => {
      const value = annotations[name];
      return value === undefined || allowed(value) ? [] : [`${name}=${goQuote(value)}`];
    }),
  );
  if (bad.length === 0) return undefined;
  const word = bad.length === 1 ? "annotation" : "annotations";
  return { reason: "seccompProfile", detail: `forbidden ${word} ${bad.join(", ")}` };
};

export function isSafeSeccomp({ type }: { readonly type: string }): boolean {
  return type === "RuntimeDefault" || type === "Localhost";
}

export const seccompProfile: Check = (spec) => {
  const values = new Set<string>();
  const setters = findSetters(spec, ({ seccompProfile: profile }) => {
    if (profile === undefined || isSafeSeccomp(profile)) return false;
    values.add(profile.type);
    return true;
  });
  if (setters.names.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `${setters.text} must not set securityContext.seccompProfile.type to ${quoted(sorted(values))}`,
  };
};

const SYSCTLS_0 = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const SYSCTLS_27 = [...SYSCTLS_0, "net.ipv4.ip_local_reserved_ports"];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const SYSCTLS_32 = [...SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

const safeSysctls =
  (allowed: readonly string[]): Check =>
  (spec) => {
    const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
  };

export const sysctls = safeSysctls(SYSCTLS_0);
export const sysctlsSince27 = safeSysctls(SYSCTLS_27);
export const sysctlsSince29 = safeSysctls(SYSCTLS_29);
export const sysctlsSince32 = safeSysctls(SYSCTLS_32);

export const windowsHostProcess: Check = (spec) => {
  const setters = findSetters(spec, ({ windowsOptions }) => windowsOptions?.hostProcess === true);
  if (setters.names.length === 0) return undefined;
  return {
    reason: "hostProcess",
    detail: `${setters.text} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};

import { configuredPluginNames } from "../admission/configured-admission.ts";
import { checkAdmissionPlugins } from "../admission/create-admission-chain.ts";
import { selectPlugins } from "../admission/plugin-names.ts";
import type { PluginSettings } from "../admission/plugin-settings.ts";
import type { Audit, AuditConfig, AuditContext } from "../audit/open-audit.ts";
import { createIssuers, type Issuers } from "../auth/authenticate/load-issuers.ts";
import { createTokenFileAuthenticator } from "../auth/authenticate/token-file.ts";
import { type Access, createAccess } from "../auth/authorize/access.ts";
import { type Authorizers, createAuthorizers } from "../auth/authorize/load-authorizers.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { TokenAuthenticator } from "../contract/authentication.ts";
import { AddressRange } from "../controllers/services/address-range.ts";
import type { LoadedEgress } from "../egress/load-egress.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { AuthorizerMetrics } from "../metrics/authorizer-metrics.ts";
import type { FeatureGates } from "../release/feature-gates.ts";
import { ConfigFileError, type ConfigFileLoader } from "../schema/load-config-file.ts";
import { type Encryption, loadEncryption } from "../store/encryption/load-encryption.ts";
import type { Tracing } from "../tracing/open-tracing.ts";
import { createPlatform, type Platform } from "./platform.ts";
import type { ServerConfig } from "./server-config.ts";

/** The configuration of a server, with its configuration files read and validated. */
export interface Settings {
  readonly config: ServerConfig;
  /** Clock for all timestamps, expirations and timers of the server. */
  readonly clock: Clock;
  readonly platform: Platform;
  readonly encryption: Encryption;
  readonly authorizers: Authorizers;
  readonly access: Access;
  readonly issuers: Issuers;
  /** Configuration of the admission plugins. */
  readonly admission: PluginSettings;
  /** Authenticates with the static token file, if one is configured. */
  readonly tokenFile: TokenAuthenticator | undefined;
  /** Proxies for outgoing connections; undefined if all connections are direct. */
  readonly egress: LoadedEgress | undefined;
  /** Exporter of traces; undefined if tracing is off. */
  readonly tracing: Tracing | undefined;
  /** Opens the audit backends; undefined if auditing is off. */
  readonly openAudit: (() => Promise<Audit>) | undefined;
  /** Stops watching files. */
  close(): void;
}

/** Reads the configuration of the enabled admission plugins. */
async function readAdmission(config: ServerConfig, { gates, configFiles }: Platform): Promise<PluginSettings> {
  const selection = { enable: config.enabledPlugins, disable: config.disabledPlugins };
  const enabled = new Set(selectPlugins(selection));
  const { admissionConfig } = config;
  const settings = admissionConfig
    ? (await import("../admission/load-admission-settings.ts")).loadAdmissionSettings(
        admissionConfig,
        configFiles,
        enabled,
      )
    : {};
  checkAdmissionPlugins({ ...selection, madeElsewhere: configuredPluginNames(gates), settings });
  return settings;
}

/** Reads and validates all configuration files. Creates and writes nothing, so that a server with an invalid configuration leaves no files behind. */
export async function readSettings(
  registry: ApiRegistry,
  config: ServerConfig,
  log: Log,
  platformOf: typeof createPlatform = createPlatform,
  clock: Clock = systemClock,
): Promise<Settings> {
  const closers: (() => void)[] = [];
  const close = (): void => {
    for (const end of closers.splice(0)) end();
  };
  try {
    const platform = platformOf(registry, config, log);
    const { gates, naming, configFiles } = platform;
    const admission = await readAdmission(config, platform);
    for (const check of [checkFrontProxy, checkServiceRanges]) check(config, gates);
    const tokenFile =
      config.tokenAuthFile && createTokenFileAuthenticator(config.tokenAuthFile.contents, config.tokenAuthFile.path);
    const egress = await loadEgress(config.egressSelectorConfig, configFiles, log);
    closers.push(() => egress?.close());
    const route = egress?.controlplane;
    const openAudit = await prepareAudit(config.audit, { configFiles, route, naming, log });
    const { domain } = platform.catalogue;
    const allowsKmsV1 = gates.enabled("KMSv1");
    const encryption = await loadEncryption(config.encryption, { configFiles, domain, allowsKmsV1, log });
    closers.push(() => encryption.close());
    const metrics = new AuthorizerMetrics();
    const authorizers = await createAuthorizers({ config, configFiles, route, gates, metrics, naming, clock, log });
    closers.push(() => authorizers.close());
    const access = await createAccess(authorizers.entries, naming, accessOptions(platform), metrics);
    authorizers.follow((entries) => access.change(entries));
    const issuers = await createIssuers({ config, configFiles, route, gates, naming, clock, log });
    closers.push(() => issuers.close());
    return {
      config,
      clock,
      platform,
      encryption,
      authorizers,
      access,
      issuers,
      admission,
      tokenFile,
      egress,
      tracing: await loadTracing(config.tracingConfig, configFiles, gates),
      openAudit,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function accessOptions({ gates, served }: Platform): Parameters<typeof createAccess>[2] {
  return {
    servesNodes: served.resources.some(({ group, resource }) => group === "" && resource === "nodes"),
    narrowsReads: gates.enabled("AuthorizeWithSelectors") && gates.enabled("AuthorizeNodeWithSelectors"),
    readsServiceAccounts: gates.enabled("KubeletServiceAccountTokenForCredentialProviders"),
    featureEnabled: gates.enabled,
  };
}

function checkFrontProxy({ frontProxy }: ServerConfig, gates: FeatureGates): void {
  if (frontProxy === undefined || frontProxy.uidHeaders.length === 0 || gates.enabled(UID_HEADERS_GATE)) return;
  throw new ConfigFileError(`--requestheader-uid-headers requires the "${UID_HEADERS_GATE}" feature to be enabled`);
}

const UID_HEADERS_GATE = "RemoteRequestHeaderUID";

/** Throws a ConfigFileError if a service range is larger than kube-apiserver allows, which may keep a bitmap of each range in etcd. */
function checkServiceRanges({ serviceClusterIpRange: ranges }: ServerConfig, gates: FeatureGates): void {
  if (gates.enabled("MultiCIDRServiceAllocator") && gates.enabled("DisableAllocatorDualWrite")) return;
  for (const [index, text] of ranges.split(",").entries()) {
    const { family, bits } = new AddressRange(text.trim());
    const width = family === "IPv4" ? 32 : 128;
    if (width - bits <= MAX_RANGE_BITS) continue;
    const flag = `--service-cluster-ip-range${index === 0 ? "" : `[${index}]`}`;
    const most = `for ${width}-bit addresses, the mask must be >= ${width - MAX_RANGE_BITS}`;
    throw new ConfigFileError(`specified ${flag} is too large; ${most}`);
  }
}

const MAX_RANGE_BITS = 20;

/** Loads the module only if a file is configured. */
async function loadEgress(
  file: string | undefined,
  configFiles: ConfigFileLoader,
  log: Log,
): Promise<Settings["egress"]> {
  if (file === undefined) return undefined;
  return (await import("../egress/load-egress.ts")).loadEgress(file, configFiles, log);
}

/** Loads the module only if a file is configured. */
async function loadTracing(
  file: string | undefined,
  configFiles: ConfigFileLoader,
  gates: FeatureGates,
): Promise<Settings["tracing"]> {
  if (file === undefined) return undefined;
  return (await import("../tracing/load-tracing.ts")).loadTracing(file, configFiles, gates);
}

/** Loads the module only if auditing is on. */
async function prepareAudit(config: AuditConfig, context: AuditContext): Promise<Settings["openAudit"]> {
  const { policy, logPath, webhook } = config;
  if (policy === undefined && logPath === undefined && webhook === undefined) return undefined;
  return (await import("../audit/open-audit.ts")).prepareAudit(config, context);
}

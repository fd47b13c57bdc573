import { randomInt, randomUUID } from "node:crypto";
import { createConfiguredAdmission } from "../admission/configured-admission.ts";
import { createAdmissionChain } from "../admission/create-admission-chain.ts";
import type { PluginSettings } from "../admission/plugin-settings.ts";
import type { ServiceRouting } from "../admission/webhooks/service-address.ts";
import { EscalationGuard } from "../auth/authorize/escalation.ts";
import type { RbacIndex } from "../auth/authorize/rbac-index.ts";
import { refuseAccess } from "../auth/authorize/refuse-access.ts";
import type { AdmissionChain, AdmissionObserver } from "../contract/admission.ts";
import type { Authorizer, RuleResolver } from "../contract/authorization.ts";
import type { Naming } from "../contract/naming.ts";
import type { GroupResource, ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { Release } from "../contract/resource-descriptor.ts";
import type { PortRecord } from "../controllers/services/port-record.ts";
import type { ServiceAllocator } from "../controllers/services/service-allocator.ts";
import type { Service } from "../controllers/services/service-shape.ts";
import type { ApiSurface } from "../kinds/api-surface.ts";
import type { KnownKinds } from "../kinds/known-kinds.ts";
import type { Clock } from "../lib/clock.ts";
import type { FeatureGates } from "../release/feature-gates.ts";
import { createKindReaders } from "../resource/access/kind-reader.ts";
import { createFieldOwnership, type FindVersion } from "../resource/field-ownership.ts";
import type { Allocate, WriteEnvironment } from "../resource/write-request.ts";
import type { Schemas } from "../schema/type-schema.ts";
import { internalError } from "../values/status-errors.ts";
import type { ServerConfig } from "./server-config.ts";

const SUFFIX_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;

export interface WriteEnvironmentParts {
  readonly config: ServerConfig;
  readonly naming: Naming;
  readonly objects: ObjectReader & ObjectWriter & ObjectFeed;
  readonly authorizer: Authorizer & RuleResolver;
  readonly rbac: RbacIndex;
  readonly gates: FeatureGates;
  readonly release: Release;
  readonly surface: () => ApiSurface;
  readonly kinds: KnownKinds;
  readonly schemas: Schemas;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly recorder: WriteEnvironment["recorder"] | undefined;
  readonly onMismatch: (problem: string) => void;
  /** Wraps the admission chain to measure its duration. */
  readonly measured: (chain: AdmissionChain) => AdmissionChain;
  readonly admissionObserver: AdmissionObserver;
  /** Whether admission plugins create trace spans. */
  readonly traces: boolean;
  readonly pluginSettings: PluginSettings;
  /** How requests to webhook Services are routed. */
  readonly routing: ServiceRouting;
  /** Record of node ports that all servers over one store share; absent if there is only one server. */
  readonly portRecord: PortRecord | undefined;
}

/** The environment of writes, and functions that start watching the objects it depends on. */
export interface Writing {
  readonly environment: WriteEnvironment;
  /** Loads and watches the addresses and ports of Services. Resolves when loaded. */
  readonly followServices: () => Promise<() => void>;
  /** Numbers of allocated and free addresses and ports; undefined if Services are not served. */
  readonly serviceCounts: (() => ServiceAllocator["counts"]) | undefined;
  /** Loads and watches admission policies and webhooks. Resolves when loaded. */
  readonly followAdmission: (feed: ObjectFeed) => Promise<() => void>;
}

export async function createWriteEnvironment(parts: WriteEnvironmentParts): Promise<Writing> {
  const { config, naming, gates, clock, now } = parts;
  const serves = ({ group, resource }: GroupResource): boolean => parts.surface().storesKind(group, resource);
  const [allocator, configured] = await Promise.all([
    serves({ group: "", resource: "services" }) ? createAllocator(parts) : undefined,
    createConfiguredAdmission({ ...parts, serves }),
  ]);
  const findVersion = findVersions(parts.surface);
  const environment: WriteEnvironment = {
    now,
    newUid: randomUUID,
    nameSuffix: randomSuffix,
    admission: parts.measured(
      createAdmissionChain({
        enable: config.enabledPlugins,
        disable: config.disabledPlugins,
        guards: [new EscalationGuard({ naming, index: parts.rbac, authorizer: parts.authorizer })],
        plugins: configured.plugins,
        serves,
        observer: parts.admissionObserver,
        traces: parts.traces,
        environment: {
          naming,
          reader: parts.objects,
          writer: parts.objects,
          authorizer: parts.authorizer,
          now,
          delay: (milliseconds) => new Promise((resolve) => void clock.after(milliseconds, resolve)),
          randomSuffix,
          featureEnabled: gates.enabled,
          settings: parts.pluginSettings,
          tolerationSeconds: config.tolerationSeconds,
        },
      }),
    ),
    collectsGarbage: config.garbageCollector,
    release: parts.release,
    featureEnabled: gates.enabled,
    allowPrivileged: config.allowPrivileged,
    ...(parts.recorder && { recorder: parts.recorder }),
    onMismatch: parts.onMismatch,
    ownership: createFieldOwnership(findVersion, now),
    findVersion,
    readKind: createKindReaders(parts.surface),
    authorizeCreation: authorizeCreation(parts.authorizer),
    allocate: allocator === undefined ? () => undefined : allocateServices(allocator),
  };
  return {
    environment,
    followServices: async () => (await allocator?.follow(parts.objects)) ?? (() => undefined),
    serviceCounts: allocator && (() => allocator.counts),
    followAdmission: configured.follow,
  };
}

/** Creates the allocator of addresses and ports of Services. */
async function createAllocator(parts: WriteEnvironmentParts): Promise<ServiceAllocator> {
  const { config, naming, gates } = parts;
  const [{ ServiceAllocator }, { parseAddressRanges }, { parsePortRange }] = await Promise.all([
    import("../controllers/services/service-allocator.ts"),
    import("../controllers/services/address-range.ts"),
    import("../controllers/services/port-record.ts"),
  ]);
  return new ServiceAllocator({
    naming,
    ranges: parseAddressRanges(config.serviceClusterIpRange),
    nodePorts: parsePortRange(config.serviceNodePortRange),
    ...(parts.portRecord && { portRecord: parts.portRecord }),
    featureEnabled: gates.enabled,
    random: Math.random,
    furtherRanges: gates.enabled("MultiCIDRServiceAllocator"),
    // Releases without IPAddress objects record used addresses only in the Services themselves.
    ...(parts.surface().storesKind(naming.group("networking"), "ipaddresses") && { writer: parts.objects }),
  });
}

/** Returns the version of a kind if it is loaded: only loaded versions can own fields. */
function findVersions(surface: () => ApiSurface): FindVersion {
  return (resource, apiVersion) => {
    if (resource.apiVersion === apiVersion) return resource;
    const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    return surface().find(group, version, resource.descriptor.resource)?.loaded;
  };
}

function authorizeCreation(authorizer: Authorizer): WriteEnvironment["authorizeCreation"] {
  return async ({ resource, subresource, namespace, user }, name) => {
    const { group, version, resource: plural } = resource.descriptor;
    const asked = { user, verb: "create", group, version, resource: plural, subresource, namespace, name };
    const { decision, reason, error } = await authorizer.authorize(asked);
    if (decision === "allow") return;
    throw error === undefined ? refuseAccess(asked, reason) : internalError(error);
  };
}

function allocateServices(allocator: ServiceAllocator): Allocate {
  return ({ resource, subresource, dryRun }, next, old) => {
    const { group, resource: plural } = resource.stored.groupResource;
    if (group !== "" || plural !== "services" || (subresource !== "" && next !== undefined)) {
      return undefined;
    }
    return allocator.allocate(next as Service | undefined, old as Service | undefined, { dryRun });
  };
}

function randomSuffix(): string {
  let rest = randomInt(SUFFIX_CHARACTERS.length ** SUFFIX_LENGTH);
  let suffix = "";
  for (let i = 0; i < SUFFIX_LENGTH; i++) {
    suffix += SUFFIX_CHARACTERS[rest % SUFFIX_CHARACTERS.length];
    rest = Math.floor(rest / SUFFIX_CHARACTERS.length);
  }
  return suffix;
}

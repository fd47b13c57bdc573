import type {
  AdmissionChain,
  AdmissionObserver,
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRequest,
  PluginMeter,
} from "../contract/admission.ts";
import type { Naming } from "../contract/naming.ts";
import type { GroupResource } from "../contract/object-access.ts";
import { inSpan } from "../lib/trace-context.ts";
import type { PluginEnvironment } from "./plugin-environment.ts";
import { type PluginSelection, PluginSelectionError, selectPlugins } from "./plugin-names.ts";
import type { PluginSettings } from "./plugin-settings.ts";
import { findPlugin, type PluginRow } from "./plugin-table.ts";

export interface AdmissionChainOptions extends PluginSelection {
  readonly environment: PluginEnvironment;
  /** Plugins created elsewhere (webhooks, policies). An enabled one runs at the position of its name in the order. */
  readonly plugins?: readonly AdmissionPlugin[];
  /** Plugins that no flag can disable. They see an object after all mutations, before it is validated: only their `mutate` is called. */
  readonly guards?: readonly AdmissionPlugin[];
  /** Receives the duration of each plugin call. */
  readonly observer?: AdmissionObserver;
  /** Whether each plugin call is a trace span of its request. */
  readonly traces?: boolean;
  /** Whether a kind of Kubernetes is served: plugins for other kinds are disabled. By default, every kind is. */
  readonly serves?: (resource: GroupResource) => boolean;
}

/**
 * Throws a PluginSelectionError for unknown names, contradictions, plugins without their required configuration, and plugins that this server does
 * not implement.
 */
export function checkAdmissionPlugins(
  asked: PluginSelection & { readonly madeElsewhere: readonly string[]; readonly settings?: PluginSettings },
): void {
  const unset = selectPlugins(asked).find((name) => {
    const setting = findPlugin(name)?.requires;
    return setting !== undefined && asked.settings?.[setting] === undefined;
  });
  if (unset !== undefined)
    throw new PluginSelectionError(
      `enable-admission-plugins plugin "${unset}" needs a configuration in --admission-control-config-file`,
    );
  const missing = asked.enable?.find((name) => !asked.madeElsewhere.includes(name) && findPlugin(name) === undefined);
  if (missing !== undefined)
    throw new PluginSelectionError(`enable-admission-plugins plugin "${missing}" is not part of this server`);
}

/** Creates the chain of enabled plugins, in order. Throws a PluginSelectionError like `checkAdmissionPlugins`. */
export function createAdmissionChain(options: AdmissionChainOptions): AdmissionChain {
  const { environment, guards = [], observer, serves = () => true } = options;
  const given = new Map((options.plugins ?? []).map((plugin) => [plugin.name, plugin]));
  checkAdmissionPlugins({
    ...options,
    madeElsewhere: [...given.keys()],
    ...(environment.settings && { settings: environment.settings }),
  });
  const chosen = selectPlugins(options).flatMap((name): Member[] => {
    const plugin = given.get(name);
    if (plugin !== undefined) return [loaded(plugin)];
    const row = findPlugin(name);
    return row === undefined || !isNeeded(row, environment.naming, serves) ? [] : [loadedLater(row, environment)];
  });
  return chain(guards.map(loaded), chosen, observer, options.traces ? inPluginSpan : (_, run) => run);
}

function isNeeded({ needs }: PluginRow, naming: Naming, serves: (resource: GroupResource) => boolean): boolean {
  return (
    needs === undefined ||
    serves({ group: needs.group === "" ? "" : naming.group(needs.group), resource: needs.resource })
  );
}

/** A plugin of the chain, loaded for the first request that it handles. */
interface Member {
  /** Plural resource names; all resources if undefined. */
  readonly resources: ReadonlySet<string> | undefined;
  readonly load: () => AdmissionPlugin | Promise<AdmissionPlugin>;
}

function loaded(plugin: AdmissionPlugin): Member {
  return { resources: plugin.resources, load: () => plugin };
}

function loadedLater({ concerns, load }: PluginRow, environment: PluginEnvironment): Member {
  let plugin: Promise<AdmissionPlugin> | undefined;
  return {
    resources: concerns && new Set(concerns),
    load() {
      plugin ??= load().then((create) => create(environment));
      return plugin;
    },
  };
}

function chain(
  guards: readonly Member[],
  chosen: readonly Member[],
  observer: AdmissionObserver | undefined,
  traced: TracedRun,
): AdmissionChain {
  const meterFor = (type: "admit" | "validate"): FindMeter => {
    return (plugin, operation) => observer?.plugin(plugin.name, type, operation);
  };
  const mutating = concerned(chosen, (plugin) => plugin.mutate !== undefined, meterFor("admit"));
  const validating = concerned(chosen, (plugin) => plugin.validate !== undefined, meterFor("validate"));
  const guarding = concerned(
    guards,
    (plugin) => plugin.mutate !== undefined,
    () => undefined,
  );
  return {
    async mutate(request: AdmissionRequest) {
      const plugins = mutating(request);
      const all = plugins instanceof Promise ? await plugins : plugins;
      const memory = new Map<string, unknown>();
      let rounds = 1;
      const repeat = (): void => {
        rounds = 2;
      };
      for (let number = 0; number < rounds; number++)
        await runAll(
          all,
          traced({ type: "Admit", request }, (plugin) => plugin.mutate?.(request, { number, repeat, memory })),
        );
      const last = guarding(request);
      await runAll(last instanceof Promise ? await last : last, (plugin) =>
        plugin.mutate?.(request, { number: rounds, repeat: () => undefined, memory }),
      );
    },
    async validate(request: AdmissionRequest) {
      const plugins = validating(request);
      await runAll(
        plugins instanceof Promise ? await plugins : plugins,
        traced({ type: "Validate", request }, (plugin) => plugin.validate?.(request)),
      );
    },
  };
}

/** A plugin with the meter of its durations. */
interface Concerned {
  readonly plugin: AdmissionPlugin;
  readonly meter: PluginMeter | undefined;
}

type RunPlugin = (plugin: AdmissionPlugin) => void | Promise<void>;
type TracedRun = (
  call: { readonly type: "Admit" | "Validate"; readonly request: AdmissionRequest },
  run: RunPlugin,
) => RunPlugin;

/** Runs each plugin in a span named like `Validate ResourceQuota`. */
const inPluginSpan: TracedRun = ({ type, request: { operation } }, run) => {
  return (plugin) => inSpan(`${type} ${plugin.name}`, { operation }, async () => run(plugin));
};

/** Runs the plugins in order. Awaits only those that return a promise: awaiting the others would take longer than running them. */
async function runAll(plugins: readonly Concerned[], run: RunPlugin): Promise<void> {
  let began = performance.now();
  for (const { plugin, meter } of plugins) {
    try {
      const waiting = run(plugin);
      if (waiting !== undefined) await waiting;
    } catch (error) {
      meter?.(performance.now() - began, true);
      throw error;
    }
    const ended = performance.now();
    meter?.(ended - began, false);
    began = ended;
  }
}

type FindMeter = (plugin: AdmissionPlugin, operation: AdmissionOperation) => PluginMeter | undefined;
type FindConcerned = (
  request: Pick<AdmissionRequest, "operation" | "resource">,
) => readonly Concerned[] | Promise<readonly Concerned[]>;

/** Finds the plugins for an operation on a resource. Returns a promise while they are loaded; then the result is cached. */
function concerned(
  members: readonly Member[],
  isOf: (plugin: AdmissionPlugin) => boolean,
  meterOf: FindMeter,
): FindConcerned {
  const found = new Map<string, readonly Concerned[]>();
  const find = async (operation: AdmissionOperation, resource: string): Promise<readonly Concerned[]> => {
    const concerning = members.filter(({ resources }) => resources?.has(resource) !== false);
    const plugins = await Promise.all(concerning.map((member) => member.load()));
    return plugins
      .filter((plugin) => isOf(plugin) && plugin.operations.has(operation) && plugin.resources?.has(resource) !== false)
      .map((plugin) => ({ plugin, meter: meterOf(plugin, operation) }));
  };
  return ({ operation, resource: { resource } }) => {
    const key = `${operation} ${resource}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    return find(operation, resource).then((plugins) => {
      found.set(key, plugins);
      return plugins;
    });
  };
}

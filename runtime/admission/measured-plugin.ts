import type {
  AdmissionObserver,
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRequest,
  PluginMeter,
} from "../contract/admission.ts";

type Work = () => void | Promise<void>;

/** The same plugin, with an eye on how long it takes. */
export function measuredPlugin(plugin: AdmissionPlugin, observer: AdmissionObserver): AdmissionPlugin {
  const { name, mutate, validate } = plugin;
  const timer = (type: "admit" | "validate") => {
    const meters = new Map<AdmissionOperation, PluginMeter>();
    return ({ operation }: AdmissionRequest, work: Work): void | Promise<void> => {
      let meter = meters.get(operation);
      if (meter === undefined) {
        meter = observer.plugin(name, type, operation);
        meters.set(operation, meter);
      }
      return timed(meter, work);
    };
  };
  const [mutating, validating] = [timer("admit"), timer("validate")];
  return {
    ...plugin,
    ...(mutate && { mutate: (request, round) => mutating(request, () => mutate.call(plugin, request, round)) }),
    ...(validate && { validate: (request) => validating(request, () => validate.call(plugin, request)) }),
  };
}

/** Most plugins are done at once: those get no promise either. */
function timed(meter: PluginMeter, work: Work): void | Promise<void> {
  const started = performance.now();
  const done = (rejected: boolean) => meter(performance.now() - started, rejected);
  let waiting: void | Promise<void>;
  try {
    waiting = work();
  } catch (error) {
    done(true);
    throw error;
  }
  if (waiting === undefined) return done(false);
  return waiting.then(
    () => done(false),
    (error: unknown) => {
      done(true);
      throw error;
    },
  );
}

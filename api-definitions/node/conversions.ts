import { conversion } from "../conversion-vocabulary.ts";
import type { RuntimeClass } from "./v1/runtime-class.ts";
import type { RuntimeClass as RuntimeClassV1alpha1 } from "./v1alpha1/runtime-class.ts";

export const runtimeClassV1alpha1 = conversion<RuntimeClassV1alpha1, RuntimeClass>({
  rename: { "spec.runtimeHandler": "handler", "spec.overhead": "overhead", "spec.scheduling": "scheduling" },
});

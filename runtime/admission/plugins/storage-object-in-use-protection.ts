import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { CREATE, isFor } from "../requests.ts";

/** Adds a finalizer to new volumes, claims and attribute classes, so that they are not removed while in use. */
export function createStorageObjectInUseProtection({ naming, featureEnabled }: PluginEnvironment): AdmissionPlugin {
  return {
    name: "StorageObjectInUseProtection",
    operations: CREATE,
    resources: new Set(["persistentvolumes", "persistentvolumeclaims", "volumeattributesclasses"]),
    mutate(request) {
      const { object } = request;
      if (object === undefined) return;
      const finalizer = isFor(request, "", "persistentvolumes")
        ? naming.key("pv-protection")
        : isFor(request, "", "persistentvolumeclaims")
          ? naming.key("pvc-protection")
          : isFor(request, naming.group("storage"), "volumeattributesclasses") &&
              featureEnabled("VolumeAttributesClass")
            ? naming.key("vac-protection")
            : undefined;
      const present = object.metadata.finalizers ?? [];
      if (finalizer === undefined || present.includes(finalizer)) return;
      object.metadata.finalizers = [...present, finalizer];
    },
  };
}

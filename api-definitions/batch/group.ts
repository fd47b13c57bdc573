import { group } from "../vocabulary.ts";

/** Work that runs to an end. */
export const batch = group({ name: "batch", versions: ["v1", "v1beta1"], priority: 17400, kubernetes: true });

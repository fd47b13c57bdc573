import { group } from "../vocabulary.ts";

/** Limits on disrupting pods. */
export const policy = group({ name: "policy", versions: ["v1", "v1beta1"], priority: 17100, kubernetes: true });

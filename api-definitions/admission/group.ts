import { group } from "../vocabulary.ts";

/** Requests and responses of admission webhooks. */
export const admission = group({ name: "admission.<domain>", versions: ["v1", "v1beta1"], kubernetes: true });

import { group } from "../vocabulary.ts";

/** The kinds everything else builds on. */
export const core = group({ name: "", versions: ["v1"], priority: 18000, kubernetes: true });

import { platform } from "./vocabulary.ts";

export const release = platform({ release: "1.33", domain: "k8s.io", vendor: "kubernetes" });

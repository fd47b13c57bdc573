import { defineConfig } from "./api-definitions/vocabulary.ts";

/** This repository serves Kubernetes as it is: its releases are those of Kubernetes. See docs/versioning.md. */
export default defineConfig({
  name: "kubernetes",
  title: "Kubernetes",
  domain: "k8s.io",
});

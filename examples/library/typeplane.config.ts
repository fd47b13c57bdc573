import { defineConfig } from "typeplane/vocabulary";

export default defineConfig({ name: "library", domain: "example.com" });

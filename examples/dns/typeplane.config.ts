import { defineConfig } from "typeplane/vocabulary";

export default defineConfig({ name: "dns", domain: "example.com" });

import { apiVersionOf } from "../../contract/group-version.ts";
import type { SurfaceGroup } from "../../kinds/resource-entry.ts";
import type { HealthChecks } from "../health/health.ts";

const FIXED = [
  "/.well-known/openid-configuration",
  "/api",
  "/apis",
  "/apis/",
  "/metrics",
  "/metrics/slis",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/",
  "/openid/v1/jwks",
  "/version",
];

/** Content of `/`: all paths, sorted. */
export function indexDocument(groups: readonly SurfaceGroup[], checks: HealthChecks): { paths: string[] } {
  const paths = new Set(FIXED);
  for (const group of groups) {
    if (group.name !== "") {
      paths.add(`/apis/${group.name}`);
    }
    for (const version of group.versions) {
      paths.add(`${group.name === "" ? "/api" : "/apis"}/${apiVersionOf({ group: group.name, version })}`);
    }
  }
  for (const [endpoint, list] of Object.entries(checks)) {
    paths.add(`/${endpoint}`);
    for (const { name } of list as HealthChecks["healthz"]) {
      paths.add(`/${endpoint}/${name}`);
    }
  }
  return { paths: [...paths].sort() };
}

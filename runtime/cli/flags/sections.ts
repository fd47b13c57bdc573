import { ADMISSION } from "./admission.ts";
import { AGGREGATION } from "./aggregation.ts";
import { API_VERSIONS } from "./api-versions.ts";
import { AUDIT } from "./audit.ts";
import { AUTHENTICATION } from "./authentication.ts";
import { AUTHORIZATION } from "./authorization.ts";
import { EGRESS, TRACES } from "./egress.ts";
import type { Flag } from "./flag.ts";
import { LIMITS } from "./limits.ts";
import { LOGGING } from "./logging.ts";
import { NODES } from "./nodes.ts";
import type { Section } from "./section.ts";
import { SERVER } from "./server.ts";
import { SERVICE_ACCOUNTS } from "./service-accounts.ts";
import { SERVICES } from "./services.ts";
import { STORAGE } from "./storage.ts";
import { TLS } from "./tls.ts";

/** In the order of `--help`. */
export const FLAG_SECTIONS: readonly Section[] = [
  SERVER,
  STORAGE,
  TLS,
  AUTHENTICATION,
  SERVICE_ACCOUNTS,
  AUTHORIZATION,
  ADMISSION,
  API_VERSIONS,
  AGGREGATION,
  SERVICES,
  NODES,
  EGRESS,
  TRACES,
  AUDIT,
  LOGGING,
  LIMITS,
];

export const FLAGS: readonly Flag[] = FLAG_SECTIONS.flatMap(({ flags }) => flags);

import { metrics } from "./metric-vocabulary.ts";

/** Metrics that are promised to somebody, and how firmly (section 9.2, item 9). */
export const serverMetrics = metrics({
  apiserver_audit_error_total: { stability: "ALPHA", introduced: "1.8" },
  apiserver_audit_event_total: { stability: "ALPHA", introduced: "1.8" },
  apiserver_audit_level_total: { stability: "ALPHA", introduced: "1.8" },
  apiserver_audit_requests_rejected_total: { stability: "ALPHA", introduced: "1.8" },
  apiserver_current_inflight_requests: { stability: "STABLE", introduced: "1.0" },
  apiserver_longrunning_requests: { stability: "STABLE", introduced: "1.15" },
  apiserver_request_duration_seconds: { stability: "STABLE", introduced: "1.15" },
  apiserver_request_total: { stability: "STABLE", introduced: "1.15" },
  apiserver_requested_deprecated_apis: { stability: "STABLE", introduced: "1.19" },
  apiserver_storage_objects: { stability: "STABLE", introduced: "1.22", deprecated: "1.34" },
  declarative_validation_mismatch_total: { stability: "BETA", introduced: "1.33" },
  kubernetes_feature_enabled: { stability: "BETA", introduced: "1.26" },
});

import type { RequestQuery, RequestSelectors } from "../contract/request-info.ts";
import { InvalidOptionsError } from "../watch/errors.ts";
import { listFaults, watchFaults } from "../watch/list-plan.ts";
import { booleanParameter, integerParameter } from "./query-options.ts";
import { requirementsOf } from "./selection.ts";

/**
 * Checks the ListOptions of a request that do not depend on its resource: first numbers and the syntax of selectors (throws 400), then
 * options that exclude each other (throws InvalidOptionsError). Afterwards, kube-apiserver negotiates the media type of a list or watch,
 * and then looks up the fields of the field selector.
 *
 * `streamsLists`: feature gate `WatchList`.
 */
export function checkListOptions(query: RequestQuery, selectors: RequestSelectors, streamsLists: boolean): void {
  integerParameter(query, "timeoutSeconds");
  integerParameter(query, "limit");
  requirementsOf(selectors.labelSelector);
  requirementsOf(selectors.fieldSelector);
  const match = query.get("resourceVersionMatch") ?? "";
  const initial = booleanParameter(query, "sendInitialEvents");
  if (match === "" && initial === undefined) return;
  const options = {
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: match,
    continue: query.get("continue") ?? "",
    ...(initial !== undefined && { sendInitialEvents: initial }),
  };
  // The `watch` parameter selects the rules: a request that is a watch only by its path follows those of a list.
  const watches = booleanParameter(query, "watch") === true;
  const faults = watches ? watchFaults(options, streamsLists) : listFaults(options);
  if (faults.length > 0) throw new InvalidOptionsError(faults);
}

import type { RequestQuery, RequestSelectors } from "../contract/request-info.ts";
import { InvalidOptionsError } from "../watch/errors.ts";
import { listFaults, watchFaults } from "../watch/list-plan.ts";
import { booleanParameter, integerParameter } from "./query-options.ts";
import { requirementsOf } from "./selection.ts";

/**
 * Checks the ListOptions of a request, as far as they do not depend on its resource: numbers and the syntax of selectors (throws
 * 400), then options that exclude each other (throws InvalidOptionsError). kube-apiserver negotiates the media type of a list or a
 * watch after this, and looks up the fields of the field selector after that.
 *
 * `streamsLists`: gate `WatchList`.
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
  // The rules of a watch are those of the parameter: a watch by its path alone has those of a list.
  const watches = booleanParameter(query, "watch") === true;
  const faults = watches ? watchFaults(options, streamsLists) : listFaults(options);
  if (faults.length > 0) throw new InvalidOptionsError(faults);
}

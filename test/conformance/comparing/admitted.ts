import { ACCESS_MAKERS } from "./admission/access-requests.ts";
import { nodeRequest } from "./admission/node-requests.ts";
import { OBJECT_MAKERS } from "./admission/object-requests.ts";
import { FORM_MAKERS } from "./admission/request-forms.ts";
import { WORLDS } from "./admission/worlds.ts";
import type { RequestMaker } from "./compared-request.ts";

const MAKERS = [...OBJECT_MAKERS, ...ACCESS_MAKERS, ...FORM_MAKERS, nodeRequest, nodeRequest];

/** Requests whose result depends on objects in their namespace and on the permissions of the user. They store nothing. */
export const admitted: RequestMaker = (random) => random.pick(MAKERS)(random, random.pick(WORLDS));

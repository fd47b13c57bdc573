import type { RequestTrail, TimedPart } from "../contract/audit-trail.ts";
import type { RequestQuery, ResourceRequestInfo } from "../contract/request-info.ts";
import type { SubresourceDescriptor } from "../contract/resource-descriptor.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { ServedResource } from "../kinds/served-resource.ts";
import type { BodyFormat } from "../resource/parse-body.ts";

/** A request for a served resource, independent of the transport. */
export interface ApiRequest {
  readonly info: ResourceRequestInfo;
  readonly resource: ServedResource;
  /** Absent for the resource itself. */
  readonly subresource: SubresourceDescriptor | undefined;
  readonly query: RequestQuery;
  readonly user: UserInfo;
  readonly userAgent: string | undefined;
  /** Format of the body; JSON by default. Throws 415 for a format that is not supported. */
  readonly bodyFormat: () => BodyFormat;
  /** Throws 415 if the body is of a type that no kind accepts. Kubernetes tells only later that a custom kind does not accept it. */
  readonly checkContentType: () => void;
  /** The media type of the body as it was sent, without parameters. */
  readonly contentType: string;
  /** Reads the whole body; throws 413 beyond the limit. */
  readonly body: () => Promise<Buffer>;
  /** Size of the body; 0 before it was read. */
  readonly bodySize: () => number;
  /** Adds a Warning header to the response. */
  readonly warn: (message: string) => void;
  readonly annotate: (key: string, value: string) => void;
  readonly waited: (milliseconds: number, part?: TimedPart) => void;
  /** Of requests that are audited. */
  readonly trail: RequestTrail | undefined;
}

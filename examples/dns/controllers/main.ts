import { connect } from "typeplane/client";
import { manager } from "typeplane/controller";
import { zoneRecords } from "./host-records.ts";

/** Runs the controller until it receives SIGTERM. If several such processes run, only one of them works at a time. */
const client = await connect();
await manager({ client, controllers: [zoneRecords], leaderElection: { name: "dns" } }).run();

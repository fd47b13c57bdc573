import { connect } from "typeplane/client";
import { manager } from "typeplane/controller";
import { zoneRecords } from "./host-records.ts";

/** Runs the controller until it gets SIGTERM. Of several such processes one works at a time. */
const client = await connect();
await manager({ client, controllers: [zoneRecords], leaderElection: { name: "dns" } }).run();

/** What a server and its working thread say to each other. */
export type ToThread = "inbox" | "stop";
export type FromThread = "events" | { readonly problem: string };

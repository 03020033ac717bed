import pg from "pg";
import { type Bell, createLocalBell } from "./bell.ts";

export interface PostgresBell extends Bell {
  close(): Promise<void>;
}

const PAUSE_MS = 1_000;
const CHANNEL = "spoor_bell";

/** Between processes: `notify` without contents. Heard on a connection of its own, made when somebody first listens and again when it breaks. */
export function createPostgresBell(url: string, pool: pg.Pool): PostgresBell {
  const local = createLocalBell();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let wanted = false;
  let closed = false;

  async function connect(): Promise<void> {
    const made = new pg.Client({ connectionString: url, application_name: "spoor bell" });
    client = made;
    made.on("error", () => again(made));
    made.on("end", () => again(made));
    made.on("notification", ({ payload }) => {
      if (payload === "inbox" || payload === "events") local.sound(payload);
    });
    try {
      await made.connect();
      await made.query(`listen ${CHANNEL}`);
      // What rang while nobody listened: whoever waits looks once.
      local.sound("inbox");
      local.sound("events");
    } catch {
      again(made);
    }
  }

  function again(broken: pg.Client): void {
    if (client !== broken) return;
    client = undefined;
    broken.end().catch(() => undefined);
    if (!closed) retry = setTimeout(() => void connect(), PAUSE_MS).unref();
  }

  return {
    ring(topic) {
      local.sound(topic);
      if (!closed) pool.query("select pg_notify($1, $2)", [CHANNEL, topic]).catch(() => undefined);
    },
    onRing(topic, listener) {
      if (!wanted) {
        wanted = true;
        void connect();
      }
      return local.onRing(topic, listener);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

/** Databases that sqlite3 wrote, with the tables of each tool and nothing in them, packed with gzip. */
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loadTraceFile } from "./load-traces.ts";

const databases = [
  {
    tool: "Cursor",
    hint: "Cursor exports chats only as Markdown",
    packed:
      "H4sIAAAAAAACA+3ZQUsCQRTA8Zl11Qh0ve0pHBChIALp0DXdJhAXTVujQ7BstoWombpGHf1Ifoi+U8fUg62HkK7L/wczvDcDj8cwl2Fu224/CtXzeDoKInUuCkJKcamUEMJYjbT4tc7NWC7FfoY468mc9S3M/FJYD9ZXfmmVBAAAAAAA+7ylsna5LBelKHgchr35dDaeXvVng8ZdPDadjq56WnnVmqtVfEcdD8JP5el7T3Wb9XZXq1ZTOa3mtVt3PNXRN27V0afqPRjOQ1VzW7WTCzNjN8pS9F+fwo/ZZLh6L/vBPBpvcj9e26/Es/SLzNrFolwcbVqtR+HI2wmMnSa3y//vsGJkbF38q8NtYb+yDVOrkzxYH2duPRW4VgAAAAAAJNkh738AAAAAABKP/38AAAAAAJKP/38AAAAAAJLvBzijLjsAUAAA",
  },
  {
    tool: "VS Code",
    hint: "Chat: Export Chat",
    packed:
      "H4sIAAAAAAACA+3XMUvDQBjG8feiqAgl3TpJ3lFBhOIXMAknBEJi6xUcCiFqlGJqUVPR0Q/nd+po4xDRxb38f3DH+9xwHNz0XI7SWVPp3eJ5XjZ6Kn0xRs5URcSs15b8aPP2n/wfIyc3puevxPOn4k/9TwEAAAAAYMPcm91BEJiPg6a8rqukqebu1+DFYxs6qy6MUqvdsR4+VO/q7JXTSZaMJlbzTOM8O0+T2OnYXqRhbI/1tayXlUZpHh0NvZ2BDYzMHm+rt5enet3oi3LZLL5z0V1cDLux7fV77Rt77dbnrwAAAAAA2GT79H8AAAAAADbeFyNOZwAAMAAA",
  },
  {
    tool: "opencode",
    hint: "opencode export SESSION",
    packed:
      "H4sIAAAAAAACA+3ZMUvDQBjG8bsmDSKUFKF0yHJ0soNCcXMySnSpg9o9jfaUYNPU5IR29OP5jRzNhajt5CiW/w8ud+97PEPI9JK7m3FqtHrMiywx6kR0hZTiTCkhhFOttvhha3ejluJ3jjh+kB3/Q7j+gfDf/Hc/qg4AAAAAAPy5kev1ez15ZZL7uV4mhbGrfXEbhZNITcLzcaQGtjVQh+lMGb0yw1PH6weBvK4jmS7L5Olrc7eDTXcjeynrrK6zZXWd5otma21lp013+p1VyyLNkmKtnvV6eNTy+mEgRbqY6VX5Mq+m+jh5NXldx002HjUHO8vv2bft2EeXrw4AAAAAwC7bZ/4HAAAAAGDn8f8fAAAAAADmfwAAAAAA8P99AvQbywkAUAAA",
  },
  {
    tool: "goose",
    hint: "goose session export --format json",
    packed:
      "H4sIAAAAAAACA+3XsQrCMBDG8UsVN9HNScioi4ujIFYJIopQzeBatUrBKpi+gY/mi9kWijq51/8Pkssd+R7gtsEqTiN9ut2TMNVDaYtSMtFaRLzs1OQt7+sfvZLfPBkcVDN/tB7SemYXAAAAAAD/aew1Ot2uCtJwf4mSyLnwHLmy1mYb41ujrT9dGV1OdS8+6sXamrnZ9EeqyC+LvMt+xLerK6v3lS+nRd6ane3nu3m29AMAAAAAgApj/wcAAAAAoPpe9Vag4gAwAAA=",
  },
];

describe("a database", () => {
  it.each(databases)(
    "of $tool is refused by its content, packed or not, with the way to a file",
    async ({ tool, hint, packed }) => {
      const gz = Buffer.from(packed, "base64");
      for (const bytes of [gz, gunzipSync(gz)]) {
        await expect(loadTraceFile("chat.json", { bytes })).rejects.toMatchObject({
          code: "trace.unknown-format",
          message: `chat.json is an SQLite database of ${tool}, which Spoor does not read.`,
          hint: expect.stringContaining(hint),
        });
      }
    },
  );

  it("of nobody known is refused with what exports there are", async () => {
    const bytes = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(84)]);
    await expect(loadTraceFile("state.vscdb", { bytes })).rejects.toMatchObject({
      code: "trace.unknown-format",
      message: "state.vscdb is an SQLite database, which Spoor does not read.",
      hint: expect.stringContaining("goose session export --format json"),
    });
  });
});

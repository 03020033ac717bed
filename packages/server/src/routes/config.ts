/** The configuration of a project: the sections of a spoor.config file that say how runs are judged. */
import { collectBody } from "spoor/internal/record/otlp/otlp-body";
import { CONFIG_KIND, CONFIG_NAME, projectConfig } from "../stages/project-rules.ts";
import { notFound } from "./error-answer.ts";
import { defineRoute, json } from "./route.ts";

const MOST_BYTES = 1024 * 1024;

export const showConfig = defineRoute({
  method: "GET",
  path: "/api/v1/config",
  scope: "read",
  summary: "The configuration of the project.",
  answer: "200, the file as it was put; 404 where none was: then every policy is used as it is.",
  async run({ caller: { projectId } }, { store }) {
    const config = await store.configs.current(projectId, CONFIG_KIND, CONFIG_NAME);
    if (config === undefined) throw notFound("configuration");
    return { status: 200, headers: { "content-type": "application/yaml; charset=utf-8" }, content: config.body };
  },
});

export const putConfig = defineRoute({
  method: "PUT",
  path: "/api/v1/config",
  scope: "admin",
  summary: "Puts a configuration in the place of the older one.",
  content: "the sections `policy`, `baseline`, `diff` and `cohort` of a spoor.config file, as YAML",
  answer: "200 `{hash}`; 400 with every problem of the file.",
  async run({ caller: { projectId }, request }, { store, now }) {
    const text = (await collectBody(request, MOST_BYTES)).toString("utf8");
    projectConfig(text, []);
    return json({ hash: await store.configs.put(projectId, CONFIG_KIND, CONFIG_NAME, text, now()) });
  },
});

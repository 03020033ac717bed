/** Figures alone, made of the one run there is: evaluating as many would take minutes. */
import Libsql from "libsql";

export function copyRun(file: string, copies: number): void {
  const database = new Libsql(file);
  const columns = (database.prepare("select name from pragma_table_info('runs')").all() as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== "id");
  const values = columns.map((name) => (name === "content_id" ? "randomblob(32)" : `runs.${name}`));
  database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${copies})
    insert into runs (${columns.join(", ")}) select ${values.join(", ")} from n, (select * from runs limit 1) as runs`);
  database.close();
}

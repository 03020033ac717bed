export const plainFunctions = {
  name: "functions",
  async run({ script, tools, wrap }) {
    const wrapped = wrap({ ...tools });
    for (const calls of script) {
      const run = calls.map(({ name, input }, index) =>
        wrapped[name](input, ...(index % 2 === 0 ? [] : [{ context: true }])).catch(() => undefined),
      );
      await Promise.all(run);
    }
  },
};

export const plainFunctions = {
  name: "functions",
  async run({ script, tools, wrap, saw }) {
    const wrapped = wrap({ ...tools });
    for (const calls of script) {
      const run = calls.map(({ name, input }, index) =>
        wrapped[name](input, ...(index % 2 === 0 ? [] : [{ context: true }])).then(saw, saw),
      );
      await Promise.all(run);
    }
  },
};

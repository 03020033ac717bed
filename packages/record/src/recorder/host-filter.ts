/** Whether a call goes to a host that is recorded. Without a list every host is. */
export function hostFilter(hosts: readonly string[] | undefined): (url: string) => boolean {
  if (hosts === undefined) return () => true;
  const patterns = hosts.map((host) => host.toLowerCase());
  return (url) => {
    if (!URL.canParse(url)) return false;
    const { host, hostname } = new URL(url);
    return patterns.some((pattern) =>
      pattern.startsWith("*.") ? hostname.endsWith(pattern.slice(1)) : pattern === host || pattern === hostname,
    );
  };
}

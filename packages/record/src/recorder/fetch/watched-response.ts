/** A response that is another in every respect but for a body that is looked at while it is read. */

export function watchedResponse(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response;
  // Of the same class: a client may bring its own.
  const Own = response.constructor as typeof Response;
  return likeOriginal(new Own(body, { status, statusText, headers }), response);
}

/** What a constructor cannot set. The headers are the very ones that came, which nobody may change. */
function likeOriginal(made: Response, original: Response): Response {
  const { url, type, redirected, headers } = original;
  for (const [key, value] of Object.entries({ url, type, redirected, headers }))
    Object.defineProperty(made, key, { value, configurable: true });
  const clone = () => likeOriginal(Object.getPrototypeOf(made).clone.call(made) as Response, original);
  Object.defineProperty(made, "clone", { value: clone, configurable: true, writable: true });
  return made;
}

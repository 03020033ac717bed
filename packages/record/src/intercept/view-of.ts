/**
 * An object that is the original in every respect but for some of its methods. Own members are looked up in the original each
 * time, so that a change of one is seen in the other; the prototype is the same, so that `instanceof` and inherited methods
 * hold. Inherited methods run on the view, where they meet the exchanged ones.
 */
export function viewOf<T extends object>(original: T, replaced: Readonly<Record<string, unknown>>): T {
  const descriptors: PropertyDescriptorMap = {};
  for (const key of Reflect.ownKeys(original)) {
    const { enumerable = false } = Object.getOwnPropertyDescriptor(original, key)!;
    descriptors[key as string] = {
      enumerable,
      configurable: true,
      get: () => Reflect.get(original, key, original) as unknown,
      set: (value: unknown) => {
        Reflect.set(original, key, value, original);
      },
    };
  }
  for (const [key, value] of Object.entries(replaced)) {
    const enumerable = Object.getOwnPropertyDescriptor(original, key)?.enumerable ?? false;
    descriptors[key] = { value, enumerable, configurable: true, writable: true };
  }
  return Object.create(Object.getPrototypeOf(original) as object | null, descriptors) as T;
}

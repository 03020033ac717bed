export declare function getWeather(input: { readonly city: string; readonly days: number }): object;

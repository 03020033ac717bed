/** The one tool of every program. */
export const NAME = "get_weather";
export const DESCRIPTION = "The weather of the next days";
export const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "number" } },
  required: ["city", "days"],
};

export function getWeather({ city, days }) {
  return { city, days, degrees: 10 + days };
}

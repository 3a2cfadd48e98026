import assert from "node:assert/strict";
import { test } from "node:test";
import { FIELDS } from "../../../site-build/browser/lib/playground/fields.js";
import { nextPlace, placeOf, valueAt } from "../../../site-build/browser/lib/playground/slider.js";

const sliders = FIELDS.filter(({ slide }) => slide);

test("a slider reaches both of its ends, and stays within its field", () => {
  for (const field of sliders) {
    const [from, to] = /** @type {[number, number]} */ (field.slide);
    assert.deepEqual([valueAt(field, 0), valueAt(field, 1000)], [from, to], field.name);
    for (let place = 0; place <= 1000; place++) {
      const value = valueAt(field, place);
      assert.ok(value >= Math.max(from, field.least ?? from) && value <= Math.min(to, field.most ?? to), `${field.name} ${value}`);
      assert.ok(field.kind !== "whole" || Number.isInteger(value), `${field.name} ${value}`);
    }
  }
});

test("a field starts where its slider can stand", () => {
  for (const field of sliders) {
    const place = placeOf(field, Number(field.start));
    assert.ok(Math.abs(valueAt(field, place) - Number(field.start)) <= Number(field.start) * 0.05, field.name);
  }
});

test("every press of an arrow changes the value, up to the end", () => {
  for (const field of sliders) {
    let place = 0;
    let presses = 0;
    while (valueAt(field, place) !== field.slide?.[1]) {
      const next = nextPlace(field, place, 1);
      assert.notEqual(valueAt(field, next), valueAt(field, place), field.name);
      place = next;
      presses += 1;
    }
    assert.ok(presses > 8 && presses < 400, `${field.name}: ${presses}`);
    assert.equal(nextPlace(field, 0, -1), 0);
  }
});

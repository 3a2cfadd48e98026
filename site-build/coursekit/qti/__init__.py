"""Checks as QTI 2.1, so that a learning platform can take them: choice, multi, number and order.

Source: IMS Question and Test Interoperability, Assessment Test, Section and Item Information Model, version 2.1 (2012).
"""
